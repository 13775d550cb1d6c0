import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What Debian's own nginx.conf has for sending files. */
export const DEBIAN = "sendfile on; tcp_nopush on;";

/** What ours has found, from the configuration in its folder: pages without sendfile, and files that stay open. */
export function readTuning(ours: string): string {
  const lines = readFileSync(join(ours, "file-sending.conf"), "utf8").match(/^open_file_cache.*$/gm) ?? [];
  return ["sendfile off;", ...lines].join(" ");
}

/**
 * A configuration of nginx that only serves files: HTML at one port, Markdown at another, each page at the same path.
 *
 * @param modules the lines that load the Brotli module, where it is installed
 */
export function writeBareConfiguration(
  dist: string,
  ports: Record<"html" | "md", number>,
  transport: string,
  modules: string,
): string {
  return `
${modules}
pid nginx.pid;
error_log stderr;
events { worker_connections 4096; }
http {
    include /etc/nginx/mime.types;
    types { text/markdown md; }
    ${transport}
    gzip_static on;
    ${modules && "brotli_static on;"}
    access_log off;
    client_body_temp_path temp;
    proxy_temp_path temp;
    fastcgi_temp_path temp;
    uwsgi_temp_path temp;
    scgi_temp_path temp;
    root "${dist}";
    server { listen 127.0.0.1:${ports.html}; location / { try_files $uri.html =404; } }
    server { listen 127.0.0.1:${ports.md}; location / { try_files $uri.md =404; } }
}
`;
}
