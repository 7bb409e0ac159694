/** The unique name of the demo shop, which the service makes in an empty database outside production. */
export const DEMO_NAME = 'sky-realm';
