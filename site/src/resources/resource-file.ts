/** A file of the site for machines: its path, and what is in it. */
export type ResourceFile = { path: string; text: string };
