// Calls of `subtract` made to another method whose results are known as well.
#pragma once

#include <string>
#include <vector>

#include "corpus/case.hpp"

namespace jrpcheck::corpus {

/// The role that others may stand in for, and those that may, in the order in which they are taken:
/// what `echo` gives back tells any two calls apart, sums fewer, and of `no-params` no result is
/// known.
inline constexpr std::string_view kStoodInFor = "subtract";
const std::vector<std::string>& stand_ins();

/// Whether a case says as much when its calls of `method`, which takes one Number from another, are
/// answered as the other role answers: each has two Numbers, and each result that is expected is
/// that of one of them. None of these is zero, which is a case for itself, nor do two that differ
/// become the same. Of any but `echo` the params are not what the case is about, and without params
/// neither are results.
bool may_stand_in(const Case& bound, const std::string& method, const std::string& role);

/// Calls `method` as the role is called, and expects what it gives, in the place of differences.
void call_stand_in(Case& bound, const std::string& method, const std::string& role);

}  // namespace jrpcheck::corpus
