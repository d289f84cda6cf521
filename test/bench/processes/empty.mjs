// Nothing: the floor of every start.
