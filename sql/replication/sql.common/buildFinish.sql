vacuum analyze t${n};
