"""Solvers: from patterns with class weights to a family of accepted sets, with a certificate."""
