/** The same list with the entry at an index one place further up (-1) or down (1). */
export function moved<T>(list: readonly T[], index: number, by: -1 | 1): readonly T[] {
  const [entry, other] = [list[index], list[index + by]];
  if (entry === undefined || other === undefined) return list;
  return list.map((each, at) => (at === index ? other : at === index + by ? entry : each));
}
