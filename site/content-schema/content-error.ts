/** A problem that an editor of content/ can fix. Its message says where and how, and is shown without a stack trace. */
export class ContentError extends Error {}
