import sys
from pylsp_jsonrpc.dispatchers import MethodDispatcher
from pylsp_jsonrpc.endpoint import Endpoint
from pylsp_jsonrpc.streams import JsonRpcStreamReader, JsonRpcStreamWriter


class Methods(MethodDispatcher):
    def m_subtract(self, minuend=None, subtrahend=None, **_):
        return minuend - subtrahend

    def m_nothing(self, **_):
        return None

    def m_get_data(self, **_):
        return ["hello", 5]


endpoint = Endpoint(Methods(), JsonRpcStreamWriter(sys.stdout.buffer).write)
JsonRpcStreamReader(sys.stdin.buffer).listen(endpoint.consume)
