// Paths of pages that belong to no project.

/** Path of the list of all projects; `/` opens the only project directly. */
export const PROJECTS_PATH = '/projects';
export const ACCOUNT_PATH = '/account';
