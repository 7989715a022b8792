# Content-Length on stdio
import gi
gi.require_version("Jsonrpc", "1.0")
from gi.repository import Gio, GLib, Jsonrpc  # noqa: E402


def called(server, client, method, id_, params):
    if method == "subtract" and params is not None and params.get_type_string() == "av":
        a, b = params.unpack()
        client.reply(id_, GLib.Variant("x", a - b), None)
        return True
    if method == "get_data":
        client.reply(id_, GLib.Variant("as", ["hello", "five"]), None)
        return True
    return False


server = Jsonrpc.Server()
server.connect("handle-call", called)
loop = GLib.MainLoop()
server.connect("client-closed", lambda *_: loop.quit())
streams = Gio.SimpleIOStream.new(Gio.UnixInputStream.new(0, False), Gio.UnixOutputStream.new(1, False))
server.accept_io_stream(streams)
loop.run()
