/** The number of a field; null: the field is empty. What is no number stays text, so that the service names the field. */
export const numberOf = (text: string): number | string | null => {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed);
};
export const textOf = (value: number | null): string => (value === null ? '' : String(value));
