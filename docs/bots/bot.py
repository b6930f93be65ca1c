"""Plays a random legal move in every game that waits for it, until you stop it."""
import json, os, random, time, urllib.request

def call(path, body=None, key=None):
    headers = {"Authorization": "Bearer " + os.environ["MAIDAN_TOKEN"], "Content-Type": "application/json"}
    if key:
        headers["Idempotency-Key"] = key
    data = json.dumps(body).encode() if body else None
    request = urllib.request.Request(os.environ["MAIDAN_URL"] + path, data, headers)
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response) if response.status == 200 else None

while True:
    try:
        game = call("/v1/me/next?wait=30")  # None: nothing waits
        if game:
            move = random.choice(game["legalMoves"]["items"])
            body = {"notation": move["notation"], "expectedVersion": game["version"]}
            call(f"/v1/games/{game['id']}/moves", body, f"{game['id']}.{game['myDecision']}")
    except OSError as error:  # a refusal, or the server is unreachable
        print(error)
        time.sleep(1)
