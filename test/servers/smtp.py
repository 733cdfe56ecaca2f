"""A mail server for tests: prints its port, then each mail as a line of JSON.

usage: smtp.py <plain|starttls|tls> [certificate key]
"""

import asyncio
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

PASSWORD = b"correct horse"


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("unknown@"):
            return "550 no such user here"
        if address.startswith("later@"):
            return "451 try again later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "content": envelope.content.decode(),
            "isEncrypted": session.ssl is not None or sys.argv[1] == "tls",
            "isAuthenticated": bool(session.authenticated),
        }
        print(json.dumps(mail), flush=True)
        return "250 queued as 42"


def authenticate(server, session, envelope, mechanism, data):
    return AuthResult(success=data.login == b"cdn" and data.password == PASSWORD, handled=False)


async def serve(mode, *files):
    context = None
    if files:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*files)
    starttls = context if mode == "starttls" else None
    options = {"authenticator": authenticate, "auth_require_tls": mode == "starttls", "tls_context": starttls}
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(Handler(), hostname="mail.test", **options),
        "127.0.0.1",
        0,
        ssl=context if mode == "tls" else None,
    )
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    await server.serve_forever()


asyncio.run(serve(*sys.argv[1:]))
