/** The folders in which Debian keeps servers; an ordinary user's PATH leaves them out. */
export const SERVER_FOLDERS = "/usr/sbin:/sbin";

/** PATH with those folders. */
export const SERVER_PATH = `${process.env["PATH"] ?? ""}:${SERVER_FOLDERS}`;
