/** The stored name of a lane of a topic. */
export function laneOf(topic: string, lane: string): string {
  return `${topic} ${lane}`;
}

/** The topic of a lane, by its stored name. */
export function topicOf(lane: string): string {
  return lane.slice(0, lane.indexOf(' '));
}
