# Switchboard as a container image:  docker build -t switchboard:1.0.0 .
# BASE is the image it runs on: any with a Java 25 runtime and a shell, which the launcher needs.
ARG BUILD=maven:3.9.16-eclipse-temurin-25
ARG BASE=eclipse-temurin:25.0.3_9-jre-noble

FROM ${BUILD} AS build
WORKDIR /src
COPY .mvn .mvn
COPY pom.xml ./
# The libraries, in a layer that stays until pom.xml changes.
RUN mvn -B -ntp prepare-package -Dmaven.test.skip=true -Dspotless.check.skip=true -Denforcer.skip=true -Dunchecked=true
COPY src/main src/main
COPY src/assembly src/assembly
COPY switchboard switchboard.cmd README.md CHANGELOG.md LICENSE NOTICE ./
COPY backends backends
COPY conf conf
COPY docs docs
# Tests and checks belong to "mvn verify".
RUN mvn -B -ntp package -Dmaven.test.skip=true -Dspotless.check.skip=true -Denforcer.skip=true -Dunchecked=true \
    && mv target/switchboard/lib target/lib

FROM ${BASE}
LABEL org.opencontainers.image.title="Switchboard" \
      org.opencontainers.image.version="1.0.0" \
      org.opencontainers.image.licenses="Apache-2.0"
# Two layers: libraries change less often than the rest.
COPY --from=build /src/target/lib /opt/switchboard/lib
COPY --from=build /src/target/switchboard /opt/switchboard
# Classes as this image's JVM has them when it has loaded them: a start takes about two thirds of the time.
RUN /opt/switchboard/switchboard --aot-cache
# A new volume gets the owner of the folder in its place.
RUN mkdir /data && chown 10001:10001 /data
# A number, so that Kubernetes can tell it is not root.
USER 10001:10001
ENV SWITCHBOARD_JAVA_OPTS=""
EXPOSE 8080 9090
VOLUME /data
ENTRYPOINT ["/opt/switchboard/switchboard"]
CMD ["serve", "--config", "/etc/switchboard/switchboard.yaml", "--data", "/data"]
