# perl-json-rpc.pl PORT
use strict;
use warnings;
use IO::Handle;
package Methods;
sub new { return bless {}, shift }
sub subtract { my ($self, $params) = @_; return ref $params eq 'HASH' ? $params->{minuend} - $params->{subtrahend} : $params->[0] - $params->[1] }
sub echo { my ($self, $params) = @_; return $params }
sub nothing { return undef }
sub get_data { return ["hello", 5] }
package main;
use JSON::RPC::Dispatch;
use Router::Simple;
use Plack::Runner;
my $router = Router::Simple->new;
my $methods = Methods->new;
$router->connect($_ => { handler => $methods, action => $_ }) for qw(subtract echo nothing get_data);
my $dispatch = JSON::RPC::Dispatch->new(router => $router);
my $runner = Plack::Runner->new;
$runner->parse_options('--host', '127.0.0.1', '--port', $ARGV[0], '--no-default-middleware');
$runner->run(sub { $dispatch->handle_psgi($_[0]) });
