# Switchboard as a container image:  docker build -t switchboard .
# BASE is the image it runs on: any with a Java 25 runtime, such as a distroless or a company's own.
ARG BUILD=maven:3-eclipse-temurin-25
ARG BASE=eclipse-temurin:25-jre

FROM ${BUILD} AS build
WORKDIR /src
COPY pom.xml ./
COPY src/main src/main
COPY src/assembly src/assembly
COPY switchboard switchboard.cmd README.md CHANGELOG.md LICENSE NOTICE ./
COPY backends backends
COPY conf conf
COPY docs docs
RUN mvn -B -ntp -Dmaven.test.skip=true -Darchive.skip=true package

FROM ${BASE}
COPY --from=build /src/target/switchboard /opt/switchboard
# Classes as this image's JVM has them when it has loaded them: a start takes about two thirds of the time.
RUN /opt/switchboard/switchboard --aot-cache
# A number, so that Kubernetes can tell it is not root.
USER 10001:10001
ENV SWITCHBOARD_JAVA_OPTS=""
EXPOSE 8080 9090
VOLUME /data
ENTRYPOINT ["/opt/switchboard/switchboard"]
CMD ["serve", "--config", "/etc/switchboard/switchboard.yaml", "--data", "/data"]
