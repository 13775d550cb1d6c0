/** What `npm run new` and `npm run new:shop` write where text is still missing. */
export const PLACEHOLDER = "?";

/** A text of store.yaml for visitors, who aren't shown what is still to be written: `npm run check:content` tells the owner. */
export const filled = (text: string): string => (text === PLACEHOLDER ? "" : text);
