/**
 * A list item that says by one of its keys what it is: `- call: search_memory`. A plain union would report the errors of
 * every kind at once; this one reports those of the kind that was meant.
 */
import * as z from "zod";

export function oneVerbOf<const Kinds extends Record<string, z.ZodObject>>(kinds: Kinds) {
  const verbs = Object.keys(kinds);
  return z.unknown().transform((value, context): z.output<Kinds[keyof Kinds]> => {
    const named =
      typeof value === "object" && value !== null ? verbs.filter((verb) => verb in value) : [];
    const [verb] = named;
    if (verb === undefined || named.length > 1) {
      const found = named.length > 1 ? named.join(" and ") : "none";
      context.issues.push({
        code: "custom",
        message: `needs exactly one of ${verbs.join(", ")}; has ${found}`,
        input: value,
      });
      return z.NEVER;
    }
    const result = (kinds[verb] as z.ZodObject).safeParse(value);
    if (result.success) {
      return result.data as z.output<Kinds[keyof Kinds]>;
    }
    for (const issue of result.error.issues) {
      context.issues.push({ ...issue, input: value } as z.core.$ZodRawIssue);
    }
    return z.NEVER;
  });
}
