/** Something that whoever edits content/ can mend. The message says where and how; a stack trace would say nothing to them. */
export class ContentError extends Error {}
