# jrpcheck in a container:
#
#   docker build -t jrpcheck .
#   docker run --rm --network host jrpcheck run http://127.0.0.1:8545/
#   docker run --rm -v "$PWD:/work" jrpcheck run --report html=report.html -- ./server
FROM debian:12-slim AS build
WORKDIR /source
COPY scripts/setup scripts/setup
RUN apt-get update && scripts/setup run
COPY . .
RUN cmake --preset packages -B /build \
    && cmake --build /build \
    && cmake --install /build --prefix /jrpcheck --strip

FROM debian:12-slim
# The program needs the C library alone; TLS trusts the authorities of ca-certificates.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 jrpcheck
COPY --from=build /jrpcheck/bin/ /usr/local/bin/
COPY --from=build /jrpcheck/share/jrpcheck/ /usr/local/share/jrpcheck/
USER jrpcheck
WORKDIR /work
ENTRYPOINT ["jrpcheck"]
CMD ["--help"]
