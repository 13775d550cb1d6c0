import type { Tool } from "./answers/tool.ts";
import { basketLink } from "./tools/basket-link.ts";
import { compareProducts } from "./tools/compare-products.ts";
import { confirmVerificationTool } from "./tools/confirm-verification.ts";
import { deliveryQuote } from "./tools/delivery-quote.ts";
import { findAdvice } from "./tools/find-advice.ts";
import { findProducts } from "./tools/find-products.ts";
import { handOver } from "./tools/hand-over.ts";
import { orderStatus } from "./tools/order-status.ts";
import { productFacts } from "./tools/product-facts.ts";
import { requestReturn } from "./tools/request-return.ts";
import { startVerificationTool } from "./tools/start-verification.ts";

/** Every tool of the assistant. None places, pays or changes an order. */
export const tools: readonly Tool[] = [
  findProducts,
  productFacts,
  compareProducts,
  deliveryQuote,
  findAdvice,
  basketLink,
  startVerificationTool,
  confirmVerificationTool,
  orderStatus,
  requestReturn,
  handOver,
];
