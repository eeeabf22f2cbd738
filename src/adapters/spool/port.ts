// What a command asks of the running service, where it may not write itself: requests and answers, each a small JSON document.

export type Asked = { readonly id: string; readonly request: unknown };
/** `problem` tells the person at the command line what to do. */
export type Answered = { readonly result: unknown } | { readonly problem: string };

export interface Spool {
  /** Not answered yet, oldest first. What is no JSON is given as null. */
  pending(): Promise<readonly Asked[]>;
  /** Takes the request away and leaves the answer. */
  answer(id: string, answer: Answered): Promise<void>;
  /** Names sort by age: `id` must be of the kind that does. */
  ask(id: string, request: unknown): Promise<void>;
  /** The answer, which is taken away; undefined as long as there is none. */
  answerTo(id: string): Promise<Answered | undefined>;
}
