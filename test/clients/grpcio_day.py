# Typical calls of a DNS operator on grpcio. Prints one line of JSON for each check.
import json
import sys
import traceback

import grpc

from wire import fields, message

address, access_key_id, access_key, ca_file = sys.argv[1:5]
if ca_file:
    with open(ca_file, "rb") as file:
        channel = grpc.secure_channel(address, grpc.ssl_channel_credentials(file.read()))
else:
    channel = grpc.insecure_channel(address)
state = {}


def call(path, request, token=None):
    metadata = [("x-cloud-access-token", state["token"] if token is None else token)] if path != LOGIN else []
    return fields(channel.unary_unary("/pb." + path)(message(request), metadata=metadata))


LOGIN = "APIAccessTokenService/GetAPIAccessToken"


def expect_error(code, path, request, token=None):
    try:
        call(path, request, token)
    except grpc.RpcError as error:
        assert error.code() == code, error
        return
    raise AssertionError("the call did not fail")


def an_access_token():
    state["token"] = call(LOGIN, {1: "admin", 2: access_key_id, 3: access_key})[1].decode()


def a_cluster_and_a_domain():
    state["cluster"] = call("NSClusterService/createNSCluster", {1: "eu", 3: ["ns1.edge.test"]})[1]
    domain = {1: state["cluster"], 3: "py.example.com"}
    state["domain"] = call("NSDomainService/createNSDomain", domain)[1]
    listed = fields(call("NSDomainService/listNSDomains", {3: "py.example", 5: 10})[1])
    assert listed[1] == state["domain"] and b"py.example.com" in listed.values(), listed
    assert call("NSDomainService/countAllNSDomains", {3: "py.example"}) == {1: 1}


def a_wrong_role():
    user = call("UserService/createUser", {1: "py", 2: "walks in the rain"})[1]
    key = call("UserAccessKeyService/createUserAccessKey", {1: user})
    token = call(LOGIN, {1: "user", 2: key[101], 3: key[102]})[1].decode()
    expect_error(grpc.StatusCode.PERMISSION_DENIED, "NSClusterService/createNSCluster", {1: "mine"}, token)
    assert call("NSDomainService/findNSDomain", {1: state["domain"]}, token) == {}


def a_wrong_token():
    expect_error(grpc.StatusCode.UNAUTHENTICATED, "NSDomainService/listNSDomains", {}, "wrong")


def an_unknown_id():
    expect_error(grpc.StatusCode.NOT_FOUND, "NSDomainService/deleteNSDomain", {1: 999_999})
    assert call("NSDomainService/findNSDomain", {1: 999_999}) == {}


def an_invalid_field():
    expect_error(grpc.StatusCode.INVALID_ARGUMENT, "NSDomainService/createNSDomain", {1: state["cluster"], 3: "a b"})
    expect_error(grpc.StatusCode.INVALID_ARGUMENT, "NSDomainService/listNSDomains", {5: -1})


CHECKS = [an_access_token, a_cluster_and_a_domain, a_wrong_role, a_wrong_token, an_unknown_id, an_invalid_field]
for check in CHECKS:
    error = ""
    try:
        check()
    except Exception:
        error = traceback.format_exc()
    print(json.dumps({"name": check.__name__, "error": error}), flush=True)
