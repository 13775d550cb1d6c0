/** Stand in the frame (src/private-pages/frame.astro) where a page's own title and content go. */
export const TITLE_PLACE = "private-page-title-5d1f";
export const CONTENT_PLACE = "private-page-content-5d1f";
/** Around the shop's notice, and around the categories' tiles: partials of the pages that show them. */
export const NOTICE_PLACE = "private-page-notice-5d1f";
export const TILES_PLACE = "private-page-tiles-5d1f";
