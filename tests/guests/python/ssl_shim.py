"""ssl is a shim: contexts can be made and set, nothing weakens the host, and what it cannot do it refuses."""
import socket
import ssl

context = ssl.create_default_context()
print(context.verify_mode, context.check_hostname, ssl.HAS_SNI)
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
context.options |= ssl.OP_NO_TLSv1
context.minimum_version = ssl.TLSVersion.TLSv1_2
context.set_ciphers("ECDHE+AESGCM")
print(context.verify_mode, ssl.create_default_context().check_hostname)
for attempt in (
    lambda: context.wrap_socket(object()),
    lambda: context.wrap_bio(None, None),
    lambda: context.load_cert_chain("/tmp/client.pem"),
    lambda: context.load_verify_locations("/tmp/none.pem"),
    lambda: ssl.get_server_certificate(("example.com", 443)),
    ssl.MemoryBIO,
    ssl.SSLSocket,
):
    try:
        print(attempt())
    except (OSError, TypeError) as error:
        print(type(error).__name__, "|", error)
print(ssl.cert_time_to_seconds("Jan  5 09:34:43 2018 GMT"), ssl.PEM_cert_to_DER_cert(ssl.DER_cert_to_PEM_cert(b"x" * 100)) == b"x" * 100)
print(issubclass(ssl.SSLCertVerificationError, (ssl.SSLError, ValueError)), issubclass(ssl.SSLError, OSError), ssl.CERT_REQUIRED, repr(ssl.PROTOCOL_TLS_CLIENT))
