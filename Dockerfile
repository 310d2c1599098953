# An image with Footpath, clang and git: what a job of continuous integration needs.
#
#   docker build -t footpath .
#   docker run --rm -v "$PWD:/src" footpath footpath test list.c

FROM rust:1.88-bookworm AS build
# Whatever Debian has of these today will do.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates python3 python3-pip \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /footpath
COPY . .
RUN scripts/install --prefix /installed

FROM debian:bookworm-slim
# Whatever Debian has of these today will do.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends clang git libclang-rt-dev make \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /installed /usr/local
WORKDIR /src
CMD ["footpath", "--help"]
