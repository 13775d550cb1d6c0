/** Stand in the frame (src/private-pages/frame.astro) where a page's own title and content go. */
export const TITLE_PLACE = "private-page-title-5d1f";
export const CONTENT_PLACE = "private-page-content-5d1f";
