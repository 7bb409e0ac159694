const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Whether the calendar has this day. Node alone would turn 30 February into 2 March. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Returns the instant that an ISO 8601 string with an offset names, or null. */
export function parseInstant(text: string): Date | null {
  const day = INSTANT.exec(text)?.[1];
  if (day === undefined || !isDay(day)) return null;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? null : instant;
}
