"""Python's gql subscribes by both of its WebSocket transports, and checks every query by the schema that it reads."""

import asyncio
import sys

from gql import Client, gql
from gql.transport.aiohttp import AIOHTTPTransport
from gql.transport.aiohttp_websockets import AIOHTTPWebsocketsTransport
from gql.transport.websockets import WebsocketsTransport

url = sys.argv[1]


async def main() -> None:
    register = gql('mutation { registerPlayer(input: { name: "Asha" }) { token { token } } }')
    async with Client(transport=AIOHTTPTransport(url=url, ssl=False), fetch_schema_from_transport=True) as session:
        token = (await session.execute(register))["registerPlayer"]["token"]["token"]
    for transport in [WebsocketsTransport, AIOHTTPWebsocketsTransport]:
        credentials = {"Authorization": f"Bearer {token}"}
        socket = transport(url=url.replace("http", "ws", 1), init_payload=credentials)
        async with Client(transport=socket, fetch_schema_from_transport=True) as session:
            opened = await session.execute(gql("mutation { createGame(input: { kind: KALAH }) { game { id } } }"))
            query = gql("subscription Changed($id: ID!) { gameChanged(id: $id) { game { status } } }")
            query.variable_values = {"id": opened["createGame"]["game"]["id"]}
            async for change in session.subscribe(query):
                assert change["gameChanged"]["game"]["status"] == "OPEN", change
                print("subscribed by", transport.__name__)
                break


asyncio.run(main())
