"""Tables on an engine as a source of counts: rows stay where they are, counts cross over."""
