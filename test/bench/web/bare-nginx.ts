/** How a bare nginx is set beside what every one has: what Debian's own nginx.conf sets, or what ours does. */
export const TRANSPORT = {
  debian: "sendfile on; tcp_nopush on;",
  ours: "sendfile off; open_file_cache max=2000 inactive=20s; open_file_cache_valid 1s;",
};

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
