vcl 4.1;
# Varnish 7 before nginx: every client gets the face, the encoding and the bytes that nginx alone would send. How to run it
# is in README.md (Caches); test/nginx/production/varnish.test.ts runs it.

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    # Whatever ends TLS before Varnish says so; nginx's answers differ by it.
    if (req.http.X-Forwarded-Proto ~ "^https") {
        set req.http.X-Forwarded-Proto = "https";
    } else {
        unset req.http.X-Forwarded-Proto;
    }

    # Everything goes to nginx as it came, and nothing is kept, except plain addresses of pages and files: no other method, no
    # query (a search, a counter), no spelling that nginx would have to normalise first, nothing private, no API.
    if (req.method !~ "^(?:GET|HEAD)$"
        || req.url !~ "^/(?:[A-Za-z0-9_][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_][A-Za-z0-9_.-]*)*)?$"
        || req.url ~ "^/(?:api|account|admin|buy|cart|checkout|counter|index\.php)(?:[/.]|$)") {
        return (pass);
    }

    # Only nginx chooses a face. Here headers are folded into one where the first patterns of negotiation.conf decide, word for
    # word and in its order: a regular expression can't weigh q-values. nginx answers every other header itself.
    if (req.http.Accept ~ "^.{385}") {
        set req.http.Accept = "text/html";
    } else if (req.http.Accept == "text/html" || req.http.Accept ~ {"(?i)^text/html,(?!.*(?:markdown|text/html|"))"}) {
        set req.http.Accept = "text/html";
    } else if (req.http.Accept == "text/markdown" || req.http.Accept ~ {"(?i)^text/markdown(?:;q=1(?:\.0{0,3})?)?,(?!.*(?:text/markdown|"|text/html\s*;(?!\s*q=[\d.]+\s*(?:,|$))))"}) {
        set req.http.Accept = "text/markdown";
    } else if (!req.http.Accept || req.http.Accept ~ {"(?i)^(?!.*(?:text/(?:html|markdown|\*)|variant))"}) {
        set req.http.Accept = "text/html";
    } else {
        return (pass);
    }

    # Three encodings of each file exist, and nginx prefers them in this order.
    if (req.http.Accept-Encoding ~ "(?i)(?:^|[\s,])br\s*(?:,|$|;\s*q=(?:1|0\.\d*[1-9]))") {
        set req.http.Accept-Encoding = "br";
    } else if (req.http.Accept-Encoding ~ "(?i)(?:^|[\s,])gzip\s*(?:,|$|;\s*q=(?:1|0\.\d*[1-9]))") {
        set req.http.Accept-Encoding = "gzip";
    } else {
        unset req.http.Accept-Encoding;
    }

    # No page depends on a cookie; with one, Varnish wouldn't look the page up.
    unset req.http.Cookie;
}

sub vcl_hash {
    hash_data(req.http.X-Forwarded-Proto);
}

sub vcl_backend_response {
    # Pages, which browsers always revalidate, are kept for a moment, so that a release needs no purge: within eleven seconds
    # all visitors have it. Varnish itself never keeps what says no-store, private or Set-Cookie.
    if (beresp.ttl == 0s && beresp.http.Cache-Control == "public, max-age=0, must-revalidate") {
        set beresp.ttl = 5s;
    }
    # The first visitor after that gets the kept answer, while Varnish asks nginx whether it has changed.
    set beresp.grace = 5s;
    # For as long it can ask by ETag, which nginx answers with 304 and no body.
    set beresp.keep = 1d;
}
