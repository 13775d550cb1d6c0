import { basketLink } from "./basket-link.ts";
import { compareProducts } from "./compare-products.ts";
import { confirmVerificationTool } from "./confirm-verification.ts";
import { deliveryQuote } from "./delivery-quote.ts";
import { findAdvice } from "./find-advice.ts";
import { findProducts } from "./find-products.ts";
import { handOver } from "./hand-over.ts";
import { orderStatus } from "./order-status.ts";
import { productFacts } from "./product-facts.ts";
import { requestReturn } from "./request-return.ts";
import { startVerificationTool } from "./start-verification.ts";
import type { Tool } from "./tool.ts";

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
