/** What a product's document is for. */
export const DOCUMENT_KINDS = ["data_sheet", "manual", "driver"] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];
