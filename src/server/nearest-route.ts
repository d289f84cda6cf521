import { ROUTES, type Route } from "../../schemas/index.js";
import { nearestName } from "./nearest-name.js";

const ID = /^(ses|msg|prt|per|que|sub)_/;

/** The route most like what was asked, as `GET /session/{sessionID}`, when one is like it at all. */
export function nearestRoute(verb: string, path: string): string | undefined {
  const wanted = path
    .split("/")
    .map((segment) => (ID.test(segment) ? "{}" : segment))
    .join("/");
  const routes: readonly Route[] = Object.values(ROUTES);
  const plain = (route: Route): string => wordsOf(route.path);
  const nearest = nearestName(wordsOf(wanted), [...new Set(routes.map(plain))]);
  const candidates = routes.filter((route) => plain(route) === nearest);
  // The shape tells routes of the same words apart: a collection from one of its members.
  const shaped = candidates.filter((route) => depthOf(route.path) === depthOf(path));
  const [best] = [shaped, candidates].flatMap((some) => [...some.filter((route) => route.verb === verb), ...some]);
  return best && `${best.verb} ${best.path}`;
}

const wordsOf = (path: string): string => path.replaceAll(/\{\w*\}/g, "");

const depthOf = (path: string): number => path.split("/").filter((segment) => segment !== "").length;
