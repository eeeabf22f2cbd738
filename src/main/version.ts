// Version of the service, as it names itself to others.
export const VERSION = '0.1.0';
