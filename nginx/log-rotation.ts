import { join } from "node:path";

/**
 * What logrotate is to do with the logs of the nginx in `folder`: Debian's own rule for /var/log/nginx tells Debian's
 * nginx to open its logs anew, never ours. `create` is logrotate's line for the new file.
 */
export function logRotation(folder: string, logs: readonly string[], create: string): string {
  return `${logs.map((log) => `"${log}"`).join(" ")} {
	daily
	rotate 14
	missingok
	notifempty
	compress
	delaycompress
	${create}
	sharedscripts
	postrotate
		test ! -s "${join(folder, "nginx.pid")}" || kill -USR1 "$(cat "${join(folder, "nginx.pid")}")"
	endscript
}
`;
}
