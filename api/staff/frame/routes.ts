import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { homePage } from "./views.ts";
import { requireStaff } from "../staff-member.ts";

/** The start page of /admin. */
export const staffHomeRoutes: FastifyPluginAsyncTypebox = async (scope) => {
  scope.get("/", { schema: { hide: true } }, async (request, reply) => {
    const { name } = await requireStaff(request);
    return reply.page(homePage, { name }, 200);
  });
};
