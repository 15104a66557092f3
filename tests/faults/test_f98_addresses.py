"""F98: certificates, proxies, names and paths: what failed, what to set, and no try that cannot help."""

from __future__ import annotations

import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator

import pytest

from chat_server import chat_server, saying
from http_server import Reply, Request, http_server
from pincite.config import ModelConfig
from pincite.errors import ModelError
from pincite.models import load_embedder
from pincite.models.llm import ChatGenerator

ASK = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]


def failed(url: str, waits: list[float] | None = None) -> ModelError:
    slept = [] if waits is None else waits
    with pytest.raises(ModelError) as caught:
        ChatGenerator(url, "m", sleep=slept.append, timeout=20).chat(ASK)
    return caught.value


# ── certificates ──────────────────────────────────────────────────────────────────────────────
@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The files of a certificate that nobody signed, for `localhost`, and of its key."""
    if not shutil.which("openssl"):
        pytest.skip("openssl makes the certificate")
    folder = tmp_path_factory.mktemp("tls")
    made, key = str(folder / "cert.pem"), str(folder / "key.pem")
    words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    words += ["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", made]
    subprocess.run(["openssl", *words], check=True, capture_output=True)
    return made, key


@pytest.fixture
def secure(certificate: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server of that certificate, at the name it is for."""
    for name in ("https_proxy", "HTTPS_PROXY", "SSL_CERT_FILE"):
        monkeypatch.delenv(name, raising=False)
    with http_server(lambda request: saying("ok"), tls=certificate) as url:
        yield url.replace("127.0.0.1", "localhost") + "/v1"


def test_a_certificate_nobody_trusts_is_tried_once(secure: str) -> None:
    waits: list[float] = []
    error = failed(secure, waits)
    assert "CERTIFICATE_VERIFY_FAILED" in error.message and "attempts" not in error.message
    assert waits == [] and not error.retryable and error.code == "tls"
    assert "SSL_CERT_FILE" in error.hint and "PEM" in error.hint


def test_the_file_that_the_hint_names_mends_it(
    secure: str, certificate: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", certificate[0])
    assert ChatGenerator(secure, "m").chat(ASK) == "ok"
    error = failed(secure.replace("localhost", "127.0.0.1"))  # the certificate is for another name
    assert "CERTIFICATE_VERIFY_FAILED" in error.message and "the name the certificate is for" in error.hint
    monkeypatch.setenv("SSL_CERT_FILE", "/nonexistent/company.pem")
    assert "/nonexistent/company.pem, which is not there" in failed(secure).hint


def test_https_where_none_is_spoken() -> None:
    with chat_server() as server:
        error = failed(server.url.replace("http:", "https:"))
    assert error.code == "tls" and "write http:// in PINCITE_LLM_BASE_URL" in error.hint


# ── proxies ───────────────────────────────────────────────────────────────────────────────────
def test_a_proxy_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with chat_server() as server:
        error = failed(server.url)
        assert "through the proxy http://127.0.0.1:9: " in error.message and "refused" in error.message
        assert "http_proxy" in error.hint and "add 127.0.0.1 to NO_PROXY" in error.hint
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        assert ChatGenerator(server.url, "m").chat(ASK) == "ok"


def test_a_proxy_that_lets_nothing_through_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with socket.create_server(("127.0.0.1", 0)) as proxy:

        def refuse() -> None:
            with proxy.accept()[0] as client:
                client.recv(10_000)
                client.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")

        thread = threading.Thread(target=refuse)
        thread.start()
        monkeypatch.setenv("https_proxy", f"http://me:s3cret@127.0.0.1:{proxy.getsockname()[1]}")
        error = failed("https://model.example/v1")
        thread.join()
    assert "through the proxy http://***@127.0.0.1" in error.message and "407" in error.message
    assert "HTTPS_PROXY" in error.hint and not error.retryable and "s3cret" not in error.message


# ── names, ports and paths ────────────────────────────────────────────────────────────────────
def test_a_server_that_is_not_there() -> None:
    error = failed("http://127.0.0.1:9/v1")
    assert "refused" in error.message and "start the server" in error.hint and error.code == "refused"


def test_a_name_that_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*where: object, **how: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    waits: list[float] = []
    error = failed("http://modell.example/v1", waits)
    assert "name is not known" in error.message and "modell.example in PINCITE_LLM_BASE_URL" in error.hint
    assert waits == [] and error.code == "dns"


def only(path: str) -> Callable[[Request], Reply]:
    return lambda request: saying("ok") if request.path == path else Reply(404, body={"error": "not found"})


@pytest.mark.parametrize(
    ("given", "served", "asked", "hint"),
    [
        ("", "/v1/chat/completions", "/chat/completions", "set PINCITE_LLM_BASE_URL={}/v1"),
        ("/", "/v1/chat/completions", "/chat/completions", "set PINCITE_LLM_BASE_URL={}/v1"),
        (
            "/v1/chat/completions", "/v1/chat/completions", "/v1/chat/completions/chat/completions",
            "what stands before /chat/completions",
        ),
        ("/v1/embeddings", "/v1/chat/completions", "/v1/embeddings/chat/completions", "before /embeddings"),
        ("/v1", "/api/chat/completions", "/v1/chat/completions", "check PINCITE_LLM_BASE_URL"),
    ],
)  # fmt: skip
def test_a_wrong_path_is_shown_with_the_right_one(given: str, served: str, asked: str, hint: str) -> None:
    with http_server(only(served)) as url:
        error = failed(url + given)
        assert f"asked: {url}{asked}" in error.message
        assert hint.format(url) in error.hint and error.code == "path"


def test_an_embedding_server_is_spoken_of_by_its_own_settings() -> None:
    with http_server(only("/v1/embeddings")) as url:
        with pytest.raises(ModelError) as caught:
            load_embedder(ModelConfig("api:m", base_url=url)).embed_query("x")
        assert f"set PINCITE_EMBED_BASE_URL={url}/v1" in caught.value.hint
        with pytest.raises(ModelError) as caught:
            load_embedder(ModelConfig("api:m", base_url=f"{url}/v1/embeddings")).embed_query("x")
        assert "before /embeddings: /embeddings is added" in caught.value.hint


def test_a_log_in_page_is_told_as_one() -> None:
    page = "\n<!doctype html>\n<html><head><title>Log in to the guest network</title></head></html>"
    with http_server(lambda request: Reply(200, {"Content-Type": "text/html"}, page)) as url:
        error = failed(f"{url}/v1")
    assert "is not JSON but begins" in error.message and f"asked: {url}/v1/chat/completions" in error.message
    assert "names a web page (a log-in, or no /v1" in error.hint and error.code == "page"
