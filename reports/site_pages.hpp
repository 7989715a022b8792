// The pages of the site, one function each.
#pragma once

#include <string>

#include "reports/site_model.hpp"

namespace jrpcheck::reports {

std::string site_overview(const SiteModel& model);
std::string site_matrix(const SiteModel& model, const SiteGroup& group);
std::string site_target(const SiteModel& model, const SiteSubject& subject);
std::string site_requirements(const SiteModel& model);
std::string site_requirement(const SiteModel& model, const ComparedRequirement& row);
std::string site_changes(const SiteModel& model);

/// The matrix of everybody or of one group: "matrix.html", "matrix-mcp.html".
std::string matrix_page(const SiteGroup& group);

}  // namespace jrpcheck::reports
