# A client of EchoService on grpcio, with hand-encoded protobuf. Prints one line of JSON for each check.
import json
import sys
import time
import traceback

import grpc

from wire import fields, message, varint

address, token, ca_file = sys.argv[1:4]
SERVICE = "/edgehelm.test.echo.EchoService/"
OPTIONS = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
METADATA = [("x-cloud-access-token", token)]


def echo(payload=b"", sleep=0, failure="", number=0):
    return message({1: payload, 2: sleep, 3: failure, 4: number})


def expand(count, size):
    return message({1: count, 2: size})


def connect(options=()):
    options = OPTIONS + list(options)
    if ca_file:
        with open(ca_file, "rb") as file:
            return grpc.secure_channel(address, grpc.ssl_channel_credentials(file.read()), options)
    return grpc.insecure_channel(address, options)


channel = connect()


def unary(method, request, metadata=METADATA, on=channel, **options):
    return fields(on.unary_unary(SERVICE + method)(request, metadata=metadata, **options))


def error_of(call):
    try:
        call()
    except grpc.RpcError as error:
        return error
    raise AssertionError("the call did not fail")


def wait_for_aborted(at_least):
    for _ in range(200):
        count = unary("counts", b"").get(3, 0)
        if count >= at_least:
            return count
        time.sleep(0.02)
    raise AssertionError("the server did not notice the aborted call")


def a_unary_call():
    assert unary("echo", echo(b"ada", number=2**53 + 1)) == {1: b"ada", 4: 2**53 + 1}


def metadata_both_ways():
    call = channel.unary_unary(SERVICE + "echo").with_call
    _, call_info = call(echo(), metadata=METADATA + [("x-request-id", "mine-2"), ("trace-bin", b"\x00\xff")])
    assert ("x-request-id", "mine-2") in call_info.initial_metadata(), call_info.initial_metadata()


def messages_of_0_bytes_to_16_mib():
    for size in (0, 1, 1000, 16_384, 65_536, 300_000, 4 << 20, 16 << 20):
        assert len(unary("echo", echo(b"a" * size)).get(1, b"")) == size


def a_compressed_request():
    payload = b"ada " * 25_000
    assert unary("echo", echo(payload), compression=grpc.Compression.Gzip)[1] == payload
    error = error_of(lambda: unary("echo", echo(b"a" * 3000), compression=grpc.Compression.Deflate))
    assert error.code() == grpc.StatusCode.UNIMPLEMENTED, error


def an_error_with_its_message():
    error = error_of(lambda: unary("echo", echo(failure="100 % wröng\n")))
    assert error.code() == grpc.StatusCode.INVALID_ARGUMENT and error.details() == "failure: 100 % wröng\n", error


def no_token():
    error = error_of(lambda: unary("counts", b"", metadata=[]))
    assert error.code() == grpc.StatusCode.UNAUTHENTICATED, error


def an_unknown_method():
    assert error_of(lambda: unary("nothing", b"")).code() == grpc.StatusCode.UNIMPLEMENTED


def ten_thousand_messages_from_the_server():
    messages = list(channel.unary_stream(SERVICE + "expand")(expand(10_000, 100), metadata=METADATA))
    assert len(messages) == 10_000 and fields(messages[-1])[4] == 9999


def ten_thousand_messages_to_the_server():
    requests = (echo(b"a" * 100, number=number) for number in range(10_000))
    counts = fields(channel.stream_unary(SERVICE + "collect")(requests, metadata=METADATA))
    assert counts[1] == 10_000 and counts[2] == 1_000_000, counts


def two_hundred_messages_in_both_directions():
    requests = (echo(number=number) for number in range(1, 201))
    responses = channel.stream_stream(SERVICE + "chat")(requests, metadata=METADATA)
    assert [fields(response)[4] for response in responses] == list(range(1, 201))


def two_hundred_concurrent_calls():
    call = channel.unary_unary(SERVICE + "echo")
    futures = [call.future(echo(sleep=100, number=number), metadata=METADATA) for number in range(1, 201)]
    assert [fields(future.result())[4] for future in futures] == list(range(1, 201))


def a_deadline():
    before = wait_for_aborted(0)
    error = error_of(lambda: unary("echo", echo(sleep=60_000), timeout=0.1))
    assert error.code() == grpc.StatusCode.DEADLINE_EXCEEDED
    wait_for_aborted(before + 1)


def a_cancelled_stream():
    before = wait_for_aborted(0)
    call = channel.unary_stream(SERVICE + "expand")(expand(-1, 1000), metadata=METADATA)
    for _ in range(100):
        next(call)
    call.cancel()
    wait_for_aborted(before + 1)


def a_hundred_connections():
    for number in range(1, 101):
        with connect([("grpc.use_local_subchannel_pool", 1)]) as connection:
            assert unary("echo", echo(number=number), on=connection)[4] == number


def health():
    check = channel.unary_unary("/grpc.health.v1.Health/Check")
    assert fields(check(b"")) == {1: 1}
    name = b"edgehelm.test.echo.EchoService"
    assert fields(check(b"\x0a" + varint(len(name)) + name)) == {1: 1}
    assert error_of(lambda: check(b"\x0a\x01x")).code() == grpc.StatusCode.NOT_FOUND
    watch = channel.unary_stream("/grpc.health.v1.Health/Watch")(b"")
    assert fields(next(watch)) == {1: 1}
    watch.cancel()


CHECKS = [
    a_unary_call, metadata_both_ways, messages_of_0_bytes_to_16_mib, a_compressed_request, an_error_with_its_message,
    no_token, an_unknown_method, ten_thousand_messages_from_the_server, ten_thousand_messages_to_the_server,
    two_hundred_messages_in_both_directions, two_hundred_concurrent_calls, a_deadline, a_cancelled_stream,
    a_hundred_connections, health,
]
for check in CHECKS:
    error = ""
    try:
        check()
    except Exception:
        error = traceback.format_exc()
    print(json.dumps({"name": check.__name__, "error": error}), flush=True)
