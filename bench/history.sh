#!/usr/bin/env bash
# Measures list, count and statistics queries on a Postgres with a million games: the latency and plan of each, and how
# soon the service is ready on such a database. Prints Markdown to stdout and progress to stderr. Needs Postgres, curl
# and a few minutes. Leaves nothing behind.
#
#   bench/history.sh > bench/HISTORY.md
#   GAMES=100000 MAIDAN=target/debug/maidan bench/history.sh
set -euo pipefail
cd "$(dirname "$0")/.."
games=${GAMES:-1000000}
maidan=${MAIDAN:-target/release/maidan}
[ -n "${MAIDAN:-}" ] || cargo build --release -p maidan >&2

say() { echo "$*" >&2; }

postgres_bin() { # Debian keeps the server's programs outside PATH
    local dir
    for dir in "$(dirname "$(command -v initdb || echo /none)")" $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV); do
        [ -x "$dir/initdb" ] && [ -x "$dir/postgres" ] && echo "$dir" && return
    done
    say "Postgres is missing." && return 1
}
bin=$(postgres_bin)

# A private Postgres, not as root, because Postgres refuses that. Default settings except for memory.
unset ${!PG*} ${!MAIDAN_*} DATABASE_URL
home=$(mktemp -d /tmp/maidan-history.XXXXXX)
as=()
if [ "$(id -u)" = 0 ]; then
    user=postgres; id -u $user >/dev/null 2>&1 || user=nobody
    chown "$user" "$home"
    as=(runuser -u "$user" --)
fi
service=
close() { [ -z "$service" ] || { kill "$service" 2>/dev/null || true; wait "$service" 2>/dev/null || true; service=; }; }
stop() {
    close
    (cd / && "${as[@]}" "$bin/pg_ctl" -D "$home/data" -m immediate stop >/dev/null 2>&1) || true
    rm -rf "$home"
}
trap stop EXIT
trap 'exit 130' INT TERM HUP
(cd / && "${as[@]}" "$bin/initdb" -D "$home/data" -U maidan -A trust -E UTF8 --no-locale --no-sync >/dev/null)
for _ in $(seq 20); do
    port=$((20000 + RANDOM % 20000))
    options="-h 127.0.0.1 -p $port -k $home -c shared_buffers=1GB -c max_wal_size=8GB"
    (cd / && "${as[@]}" "$bin/pg_ctl" -D "$home/data" -w -l "$home/log" -o "$options" start >/dev/null 2>&1) && break
done
export DATABASE_URL=postgres://maidan@127.0.0.1:$port/postgres
sql() { "$(command -v psql || echo "$bin/psql")" -X -q -A -t -v ON_ERROR_STOP=1 "$DATABASE_URL" "$@"; }

# --- the service ---------------------------------------------------------------------------------------------------

now() { date +%s%N; }
serve() { # starts it on a free port; sets `ready` to the milliseconds until it was ready
    local began
    for _ in $(seq 20); do
        began=$(now)
        address=127.0.0.1:$((10000 + RANDOM % 20000))
        MAIDAN_LISTEN=$address MAIDAN_LOG=error MAIDAN_REQUESTS_PER_SECOND=0 MAIDAN_MOVES_PER_SECOND=0 \
        MAIDAN_ADDRESS_REQUESTS_PER_SECOND=0 MAIDAN_REPLAYS_PER_SECOND=0 \
            "$maidan" >/dev/null 2>"$home/said" &
        service=$!
        while kill -0 $service 2>/dev/null; do
            if curl -sf "http://$address/readyz" >/dev/null && kill -0 $service; then
                ready=$((($(now) - began) / 1000000))
                return
            fi
        done
    done
    cat "$home/said" >&2
    return 1
}
rest() { # rest TOKEN METHOD PATH [BODY]
    curl -sf -X "$2" "http://$address$3" -H "authorization: Bearer $1" -H 'content-type: application/json' -d "${4:-}"
}
field() { sed "s/.*\"$1\":\"\([a-z0-9_]*\)\".*/\1/"; }

say "Migrating, and playing one game of each kind to copy."
"$maidan" migrate >&2
key=$("$maidan" app create history | grep mdn_app_)
app=$(sql -c "SELECT id FROM apps WHERE name = 'history'")
serve
one=$(rest "$key" POST /v1/players '{"name": "One"}' | field id)
two=$(rest "$key" POST /v1/players '{"name": "Two"}' | field id)
three=$(rest "$key" POST /v1/players '{"name": "Three"}' | field id)
for kind in KALAH MARA MACARENA MAHABHARATA MAHOLA; do
    players="\"$one\", \"$two\""; [ $kind != MAHOLA ] || players="$players, \"$three\""
    rest "$key" POST /v1/games "{\"kind\": \"$kind\", \"players\": [$players]}" >/dev/null
    game=$(rest "$key" POST /v1/games "{\"kind\": \"$kind\", \"players\": [$players]}" | sed 's/^{"id":"\([a-z0-9_]*\)".*/\1/')
    for who in "$two" "$three"; do
        curl -s -X POST "http://$address/v1/games/$game/resign" -H "authorization: Bearer $key" -H "maidan-act-as: $who" >/dev/null
    done
done
close

say "Filling in $games games."
sql -v games="$games" -v app="$app" <<'SQL'
SET synchronous_commit = off;
CREATE TEMP TABLE patterns AS SELECT * FROM games;
-- Ten thousand players, each with one token whose text is known: mdn_ply_ and its number in 52 digits.
CREATE TEMP TABLE people AS
    SELECT n, md5('player ' || n)::uuid AS id FROM generate_series(1, 10000) n;
INSERT INTO players (id, app_id, name, created_at) SELECT id, :'app', 'Player ' || n, now() FROM people;
INSERT INTO tokens (id, player_id, hash, created_at)
    SELECT md5('token ' || n)::uuid, id, sha256(('mdn_ply_' || lpad(n::text, 52, '0'))::bytea), now() FROM people;
-- Player 1 sits in one game of a hundred, and in one of five of these against player 2; the rest is even. One game in
-- four is public. Kalah is the favourite, one game in a thousand is a Mahabharata, one in fifty was called off.
CREATE FUNCTION pg_temp.chance(what text, i bigint, sides integer) RETURNS integer LANGUAGE sql IMMUTABLE AS
    $$ SELECT ('x' || substr(md5(what || i), 1, 7))::bit(28)::integer % sides $$;
CREATE TEMP TABLE plan AS
    SELECT i, date_trunc('milliseconds', now()) - (:games - i) * interval '30 seconds' AS opened,
        CASE WHEN kind = 0 THEN 'MAHABHARATA' WHEN kind < 100 THEN 'MAHOLA' WHEN kind < 250 THEN 'MACARENA'
            WHEN kind < 400 THEN 'MARA' ELSE 'KALAH' END AS kind,
        CASE WHEN :games - i < 1000 THEN 'OPEN' WHEN :games - i < 10000 THEN 'RUNNING'
            WHEN pg_temp.chance('called off', i, 50) = 0 THEN 'CANCELLED' ELSE 'OVER' END AS status,
        pg_temp.chance('public', i, 4) = 0 AS is_public,
        CASE WHEN busy = 0 THEN 1 ELSE 3 + pg_temp.chance('first', i, 4999) END AS first,
        CASE WHEN busy = 0 AND pg_temp.chance('met', i, 5) = 0 THEN 2 ELSE 5002 + pg_temp.chance('second', i, 2499) END AS second,
        7501 + pg_temp.chance('third', i, 2500) AS third,
        pg_temp.chance('luck', i, 20) AS luck
    FROM generate_series(1, :games) i, pg_temp.chance('kind', i, 1000) kind, pg_temp.chance('busy', i, 100) busy;
INSERT INTO games (id, app_id, kind, rules_version, options, seats, visibility, status, version, ply, seed, created_by,
        seating, position, to_act, decisions, outcome, created_at, expires_at, started_at, ended_at)
    SELECT (lpad(to_hex((extract(epoch FROM p.opened) * 1000)::bigint), 12, '0') || '7' || substr(md5('g' || p.i), 1, 3)
            || '8' || substr(md5('g' || p.i), 4, 15))::uuid,
        :'app', p.kind, g.rules_version, g.options, g.seats, CASE WHEN p.is_public THEN 'PUBLIC' ELSE 'PRIVATE' END,
        p.status, g.version, g.ply, g.seed, :'app',
        CASE WHEN p.status = 'OPEN' THEN jsonb_build_array(jsonb_build_object('player', a.id)) || repeat_null.rest
            WHEN g.seats = 2 THEN jsonb_build_array(jsonb_build_object('player', a.id), jsonb_build_object('player', b.id))
            ELSE jsonb_build_array(jsonb_build_object('player', a.id), jsonb_build_object('player', b.id),
                jsonb_build_object('player', c.id)) END,
        CASE WHEN p.status = 'OPEN' THEN NULL ELSE g.position END, CASE WHEN p.status = 'RUNNING' THEN g.to_act ELSE 0 END,
        g.decisions,
        CASE WHEN p.status <> 'OVER' THEN NULL
            WHEN p.luck < 2 THEN jsonb_build_object('winners', '[]'::jsonb, 'places', '[1, 1, 1]'::jsonb)
            WHEN p.luck < 11 THEN jsonb_build_object('winners', '[0]'::jsonb, 'places', '[1, 2, 3]'::jsonb)
            ELSE jsonb_build_object('winners', '[1]'::jsonb, 'places', '[2, 1, 3]'::jsonb) END,
        p.opened, p.opened + interval '7 days', CASE WHEN p.status <> 'OPEN' THEN p.opened END,
        CASE WHEN p.status IN ('OVER', 'CANCELLED') THEN p.opened + interval '20 minutes' END
    FROM plan p
    JOIN patterns g ON g.kind = p.kind AND g.status = CASE WHEN p.status = 'OVER' THEN 'OVER' ELSE 'RUNNING' END
    JOIN people a ON a.n = p.first JOIN people b ON b.n = p.second JOIN people c ON c.n = p.third
    CROSS JOIN LATERAL (SELECT jsonb_agg(NULL::jsonb) AS rest FROM generate_series(2, g.seats)) repeat_null;
INSERT INTO seatings (game_id, seat, player_id, is_over, kind, is_public, is_practice, place, result, ended_at)
    SELECT g.id, s.seat - 1, (s.sitter ->> 'player')::uuid, g.ended_at IS NOT NULL, g.kind, g.visibility = 'PUBLIC', false,
        (g.outcome -> 'places' ->> (s.seat - 1)::integer)::smallint,
        CASE WHEN g.outcome IS NULL THEN NULL WHEN g.outcome -> 'winners' = '[]' THEN 'DRAWN'
            WHEN g.outcome -> 'winners' @> to_jsonb(s.seat - 1) THEN 'WON' ELSE 'LOST' END,
        g.ended_at
    FROM games g, jsonb_array_elements(g.seating) WITH ORDINALITY AS s (sitter, seat)
    WHERE s.sitter <> 'null' AND NOT EXISTS (SELECT 1 FROM patterns WHERE patterns.id = g.id);
SQL
# Autovacuum would have done this by the time there are so many games.
sql -c 'VACUUM ANALYZE'

# --- the questions -------------------------------------------------------------------------------------------------

player() { printf 'player_%s' "$(sql -c "SELECT replace(md5('player $1')::uuid::text, '-', '')")"; }
token() { printf 'mdn_ply_%052d' "$1"; }
first=$(player 1) second=$(player 2)
middle=$(sql -c "SELECT 'game_' || replace(id::text, '-', '') FROM games ORDER BY id OFFSET $games / 2 LIMIT 1")
day=$(sql -c "SELECT to_char(now() - ($games / 2) * interval '30 seconds', 'YYYY-MM-DD')")

questions() { # one per line: token | path | description
    cat <<EOF
$key|/v1/games|newest games, the app
$(token 9)|/v1/games|newest games, a player: public or own
$(token 9)|/v1/games?after=$middle|the same, half a million games further on
$(token 9)|/v1/games?status=OPEN|open games, a player
$(token 9)|/v1/games?kind=MAHABHARATA|a kind that is rarely played, a player
$key|/v1/games?kind=MARA&status=CANCELLED|a kind and a status, the app
$key|/v1/games?createdFrom=${day}T00:00:00Z&createdBefore=${day}T12:00:00Z|opened within half a day, the app
$key|/v1/games?endedFrom=${day}T00:00:00Z&endedBefore=${day}T12:00:00Z|ended within half a day, the app
$key|/v1/games/count|count of all games, the app (stops at 10,000)
$key|/v1/games/count?kind=MAHABHARATA|count of a rare kind, the app
$(token 1)|/v1/me/games|own games, of about 10,000
$(token 1)|/v1/me/games?kind=MACARENA&result=LOST|own games of a kind that were lost
$(token 1)|/v1/me/games?opponentId=$second|own games against one opponent, of about 2,000
$(token 9)|/v1/games?playerId=$first|another player's games, a player
$(token 1)|/v1/games/count?playerId=$first|count of own games
$(token 1)|/v1/me/inbox|games waiting for me (inbox)
$(token 1)|/v1/players/$first/statistics|own statistics, over about 10,000 games
$(token 9)|/v1/players/$first/statistics|another player's statistics, a player
$key|/v1/players/$first/statistics?kind=KALAH|statistics of one kind, the app
$(token 1)|/v1/players/$first/head-to-head/$second|own head to head, over about 2,000 games
$(token 9)|/v1/players/$first/head-to-head/$second|another player's head to head, a player
EOF
}
get() { curl -sf -o /dev/null -w '%{time_total}\n' "http://$address$2" -H "authorization: Bearer $1"; }

say "Starting the service on this database."
starts=()
for _ in 1 2 3 4 5; do serve; starts+=("$ready"); close; done
started=$(printf '%s\n' "${starts[@]}" | sort -n | sed -n 3p)

say "Measuring latencies."
serve
while IFS='|' read -r who where words; do
    times=$(for _ in $(seq 21); do get "$who" "$where"; done | sort -n)
    echo "$(sed -n 11p <<<"$times") $(sed -n 21p <<<"$times")"
done < <(questions) > "$home/times"
load=$(cut -d' ' -f1 /proc/loadavg)
close

say "Recording the plans."
sql -c "ALTER DATABASE postgres SET session_preload_libraries = 'auto_explain'" \
    -c "ALTER DATABASE postgres SET auto_explain.log_min_duration = 0" \
    -c "ALTER DATABASE postgres SET auto_explain.log_analyze = on"
serve
n=0
while IFS='|' read -r who where words; do
    n=$((n + 1))
    for _ in 1 2; do # the first one warms the connection
        sleep 0.2
        before=$(wc -c < "$home/log")
        get "$who" "$where" > /dev/null
    done
    sleep 0.2
    # The longest statement of the request, with its plan.
    tail -c +$((before + 1)) "$home/log" | awk -v out="$home/plan.$n" '
        / LOG:  duration: / { if (ms + 0 > most) { most = ms + 0; best = plan }
            match($0, /duration: [0-9.]+/); ms = substr($0, RSTART + 10, RLENGTH - 10); sum += ms; plan = ""; next }
        / (LOG|STATEMENT|ERROR):  / { next }
        { plan = plan $0 "\n" }
        END { if (ms + 0 > most) { most = ms + 0; best = plan } printf "%s", best > out; printf "%.2f\n", sum }'
done < <(questions) > "$home/sums"
close

# --- the results -------------------------------------------------------------------------------------------------

processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)
memory=$(awk '/MemTotal/ { printf "%.0f GB", $2 / 1024 / 1024 }' /proc/meminfo)
size=$(sql -c "SELECT pg_size_pretty(pg_database_size('postgres'))")
seats=$(sql -c 'SELECT count(*) FROM seatings')
cat <<EOF
# Queries over $(sed ':a; s/\B[0-9]\{3\}\>/,&/; ta' <<<"$games") games

By \`bench/history.sh\`: $(nproc) cores ($processor), $memory of memory,
$("$bin/postgres" --version), shared buffers of 1 GB, service ($(basename "$(dirname "$maidan")") build) and database on the same machine. $seats seats, 10,000 players, $size; one game in
four is public; player 1 has one game in a hundred. There are no move logs: none of these queries reads them. The
machine's load average during the measurement, including all other work, was $load.

The service is ready $started ms after its start on this database (median of 5).

| question | in Postgres, ms | answered after, ms | slowest of 21, ms |
| --- | --- | --- | --- |
EOF
paste -d'|' "$home/sums" "$home/times" <(questions | cut -d'|' -f3) | awk -F'|' '{
    split($2, t, " "); printf "| %s | %s | %.1f | %.1f |\n", $3, $1, t[1] * 1000, t[2] * 1000 }'
cat <<EOF

*In Postgres* is the sum over all statements of a request, including those for the caller's token and the players' names,
with auto_explain on; *answered after* is the median of 21 HTTP requests without it. The slowest statement of each request,
with its plan:
EOF
n=0
while IFS='|' read -r _ _ words; do
    n=$((n + 1))
    printf '\n## %s\n\n```\n' "$words"
    sed -e 's/^\t//' -e 's/[[:space:]]*$//' -e 's/SELECT g\.id, .*g\.rematch_of/SELECT …/' "$home/plan.$n" | cut -c1-300
    printf '```\n'
done < <(questions)
