//! Nothing: the tests beside it read the exports of motes with the libraries of others.
