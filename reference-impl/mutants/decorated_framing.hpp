// DecoratedFraming: the proper framing, for mutants that change one thing about it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "reference-impl/mutants/behaviour.hpp"
#include "wire/framing.hpp"

namespace jrpcheck::reference {

class DecoratedFraming : public wire::Framing {
 public:
  explicit DecoratedFraming(std::unique_ptr<wire::Framing> proper) : proper_(std::move(proper)) {}

  std::string encode(std::string_view payload) override { return proper_->encode(payload); }
  void feed(std::string_view bytes) override { proper_->feed(bytes); }
  void end_of_input() override { proper_->end_of_input(); }
  std::optional<wire::Frame> next() override { return proper_->next(); }

 protected:
  wire::Framing& proper() const { return *proper_; }

 private:
  std::unique_ptr<wire::Framing> proper_;
};

/// Each stream is framed by a decoration of this class; `arguments` follow the proper framing.
template <typename Decoration, typename... Arguments>
Behaviour framed_by(Arguments... arguments) {
  return {.framing = [arguments...](
                         std::unique_ptr<wire::Framing> proper) -> std::unique_ptr<wire::Framing> {
    return std::make_unique<Decoration>(std::move(proper), arguments...);
  }};
}

}  // namespace jrpcheck::reference
