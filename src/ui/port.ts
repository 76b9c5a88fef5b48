/** What the UI shows and may ask for; owned by the application, which builds it. */
export type * from '../app/port';
