import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { requireStaff } from "../staff-member.ts";
import { homePage } from "./views.ts";

/** The start page of /admin. */
export const staffHomeRoutes: FastifyPluginAsyncTypebox = async (scope) => {
  scope.get("/", { schema: { hide: true } }, async (request, reply) => {
    const { name } = await requireStaff(request);
    return reply.page(homePage, { name }, 200);
  });
};
