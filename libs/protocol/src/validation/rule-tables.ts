import { type Rule, refuse } from './outcome.js';
import { type RefusalName } from './refusal-names.js';

/** A row of a rule table: refused with its own name unless `holds`. `explain` gives the detail; it runs on a refusal only. */
export const required = <Context>(
  name: RefusalName,
  holds: (context: Context) => boolean,
  explain?: (context: Context) => string,
): Rule<Context> => ({
  name,
  check: (context) => (holds(context) ? undefined : refuse(name, explain?.(context))),
});

/** A row that runs a table of its own, or a rule that can end in several names; `name` describes the checks. */
export const grouped = <Context>(name: string, check: Rule<Context>['check']): Rule<Context> => ({ name, check });
