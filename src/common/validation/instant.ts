const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Whether a calendar has the day: Node takes 30 February for 2 March. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** The instant that an ISO 8601 text with an offset names, or null when it names none. */
export function parseInstant(text: string): Date | null {
  const day = INSTANT.exec(text)?.[1];
  if (day === undefined || !isDay(day)) return null;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? null : instant;
}
