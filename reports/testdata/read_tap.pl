# Reads TAP from standard input with TAP::Parser and compares: read_tap.pl TESTS FAILED SKIPPED, or
# read_tap.pl bail for a text that must say that it gave up.
use strict;
use warnings;
use TAP::Parser;

local $/;
my $text = <STDIN>;
$text =~ /^TAP version 13$/m or die "no version line\n";
my $parser = TAP::Parser->new({ tap => $text });
my ($bailed, $diagnosed) = (0, 0);
while (my $result = $parser->next) {
  $bailed = 1 if $result->is_bailout;
  $diagnosed++ if $result->is_yaml && ref $result->data eq 'HASH' && $result->data->{try};
  die "not understood: " . $result->raw . "\n" if $result->is_unknown;
}
if ($ARGV[0] eq 'bail') { exit($bailed ? 0 : 1) }
die join("\n", $parser->parse_errors), "\n" if $parser->parse_errors;
my @found = ($parser->tests_run, scalar $parser->failed, scalar $parser->skipped);
die "found @found instead of @ARGV\n" if "@found" ne "@ARGV";
die "the failures are not diagnosed\n" if $diagnosed < $parser->failed;
