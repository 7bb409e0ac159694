/** What is wrong with the `value` of a code or a sale that is a percentage, one sentence for each problem. */
export function percentProblems({
  type,
  value,
}: {
  readonly type: 'percent' | 'fixed';
  readonly value: number;
}): string[] {
  if (type !== 'percent') return [];
  const problems: string[] = [];
  if (value > 100) problems.push('value must be at most 100 percent');
  if (Math.round(value * 100) / 100 !== value) problems.push('value must have at most 2 decimals');
  return problems;
}
