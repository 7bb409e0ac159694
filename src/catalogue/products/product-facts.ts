/**
 * What is wrong with the facts of a product, one sentence for each problem.
 * @param field its name, with which the sentences begin
 */
export function factProblems(facts: unknown, field: string): string[] {
  if (!Array.isArray(facts)) return [];
  const names = facts
    .map((fact: { readonly name?: unknown } | null) => fact?.name)
    .filter((name) => name !== undefined);
  return new Set(names).size === names.length ? [] : [`${field} must not repeat a name`];
}
