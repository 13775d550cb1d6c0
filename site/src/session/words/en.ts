export default {
  common: {
    error_prefix: "Error: {title}",
    error_summary: "There is a problem",
    home: "Home",
  },
  problem: {
    reference: "If you contact us, quote this reference: {reference}",
    bad_request: {
      title: "This page can’t be shown",
      text: "Something in the address or in what was sent isn’t right. Go back and try again.",
    },
    cookies_off: {
      title: "Your browser doesn’t keep cookies",
      text: "The basket needs one cookie, which says that it is yours and nothing else. Allow cookies for this shop, then add the article again.",
    },
    forbidden: {
      title: "This form was sent from another site",
      text: "To protect you, the shop accepts forms from its own pages only. Nothing was changed. Open the page in the shop and send the form again.",
    },
    internal_error: {
      title: "Something went wrong",
      text: "The fault is ours. Please try again later.",
    },
    method_not_allowed: {
      title: "This page can’t be shown",
      text: "This address is only for sending a form. Go back to the page with the form.",
    },
    not_found: {
      title: "Page not found",
      text: "There is nothing at this address, or it isn’t for this browser.",
    },
    payload_too_large: {
      title: "Too much was sent",
      text: "The form was larger than the shop accepts. Shorten what you wrote and send it again.",
    },
    too_many_requests: {
      title: "Too many requests",
      text: "There were too many requests from your network. Please wait a while, then try again.",
    },
    unavailable: {
      title: "The shop can’t answer right now",
      text: "Please try again in a few seconds. If you have just sent an order, check your e-mail before you send it again.",
    },
    uri_too_long: {
      title: "This address is too long",
      text: "Check the address, or start again from the home page.",
    },
  },
};
