/** What every path of the API begins with, without the slashes around it. */
export const API_PREFIX = 'api/v2';
