/** The first segments of every path of the API, without the slashes around them. */
export const API_PREFIX = 'api/v2';
