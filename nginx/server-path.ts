/** PATH with the folders in which Debian keeps servers; an ordinary user's own leaves them out. */
export const SERVER_PATH = `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin`;
